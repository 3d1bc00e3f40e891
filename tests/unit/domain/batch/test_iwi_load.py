from kawe.domain.batch.sending import IwiLoad, IwiShare, iwi_words, load_of
from kawe.domain.service.service_words import IwiChoice

RAKI = IwiChoice(slug="raki", name="Ngāti Tauira ki te Raki")
TONGA = IwiChoice(slug="tonga", name="Ngāti Tauira ki te Tonga")


def test_each_iwi_of_a_project_is_counted_and_the_most_burdened_comes_first():
    assert load_of([(TONGA,), (RAKI, TONGA), ()]) == IwiLoad(
        shares=(
            IwiShare(slug="tonga", name="Ngāti Tauira ki te Tonga", projects=2),
            IwiShare(slug="raki", name="Ngāti Tauira ki te Raki", projects=1),
        ),
        projects=2,
    )


def test_the_load_is_said_in_one_sentence():
    assert load_of([(TONGA,), (RAKI,), (TONGA,)]).words() == (
        "This batch sends 2 projects to Ngāti Tauira ki te Tonga, 1 to Ngāti Tauira "
        "ki te Raki."
    )


def test_where_a_project_goes_to_several_iwi_the_sum_is_explained():
    assert load_of([(TONGA,), (RAKI, TONGA)]).words() == (
        "This batch sends 2 projects to Ngāti Tauira ki te Tonga, 1 to Ngāti Tauira "
        "ki te Raki. A project can go to several iwi: 3 in all, for 2 projects."
    )


def test_the_iwi_of_one_row_are_named_and_a_long_list_is_cut():
    names = [f"Iwi {n}" for n in range(10)]
    assert [iwi_words(names[:2]), iwi_words(names, shown=2), iwi_words([])] == [
        "Iwi 0; Iwi 1",
        "Iwi 0; Iwi 1 and 8 more",
        "",
    ]


def test_one_project_is_one_project():
    assert load_of([(RAKI,)]).words() == (
        "This batch sends 1 project to Ngāti Tauira ki te Raki."
    )


def test_rows_that_were_not_asked_about_are_said_to_be_missing():
    words = load_of([(RAKI,)], finished_before=4).words()
    assert words.endswith("Raki. Rows that were finished before are not counted.")


def test_nothing_to_send_is_nothing_to_say():
    assert load_of([], finished_before=4).words() == ""


def test_a_long_list_is_cut_and_says_so():
    many = [(IwiChoice(slug=f"i{n:02}", name=f"Iwi {n:02}"),) for n in range(23)]
    assert load_of(many).words().endswith("1 to Iwi 19, others to 3 more iwi.")


def test_a_name_cannot_act_on_the_terminal():
    evil = IwiChoice(slug="x", name="Ngāti\x1b[2J\nTauira\u202e")
    assert load_of([(evil,)]).words() == (
        "This batch sends 1 project to Ngāti[2J Tauira."
    )
