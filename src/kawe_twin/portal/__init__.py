"""The portal: what the interface says a person does "in the portal".

Pages work without JavaScript and by keyboard alone. They use the rules of the API, in
the name of the account that the person chose.
"""
