"""The portal: what the interface says a person does "in the portal".

Pages made here, readable without JavaScript and usable by keyboard alone. A
page never has rules of its own: it asks the same rules as the API, in the name
of the account that the person looks through.
"""
