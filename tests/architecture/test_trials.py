"""What the trial of the documented commands knows of a page stands on that page."""

from trials.documented import LEAST, commands, documented, scenes


def test_each_command_that_a_scene_names_stands_on_its_page():
    shown = {page.name: list(commands(page)) for page in documented()}
    lonely = [
        f"{name}: {line}"
        for name, scene in scenes().items()
        for line in {*scene.before, *scene.codes, *scene.not_run}
        if line not in shown.get(name, ())
    ]
    assert lonely == []


def test_enough_commands_are_typed():
    typed = [
        line
        for page in documented()
        if (scene := scenes().get(page.name)) is not None
        for line in commands(page)
        if line not in scene.not_run
    ]
    assert len(typed) > LEAST
