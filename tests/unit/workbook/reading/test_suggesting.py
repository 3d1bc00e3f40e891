import pytest

from kawe.workbook.reading.alike import RapidfuzzSuggester

NEAREST = RapidfuzzSuggester().nearest


@pytest.mark.parametrize(
    ("name", "other"),
    [
        ("Hiko Tauira Lines Company", "Hiko Tauira Lines Co"),
        ("Hiko Tauira Lines Company Limited", "Hiko Tauira Lines Co. Ltd."),
        ("Kaiwharawhara Catchment Trust", "Kaiwharawara Catchment Trust"),
        ("Kāpiti Coast District Council", "Kapiti Coast Dist Council"),
        ("Trust for the Ōtaki River", "Otaki River Trust for the"),
    ],
)
def test_names_that_one_may_have_meant_for_the_other_are_suggested(name, other):
    assert NEAREST(name, among=["Something Else", other]) == (other,)


@pytest.mark.parametrize(
    ("name", "other"),
    [
        ("Ward 1 Community Trust", "Ward 2 Community Trust"),
        ("Nelson City Council", "Napier City Council"),
        ("Ngāti Tauira ki te Raki", "Ngāti Tauira ki te Tonga"),
        ("Horizon Farms", "Southern Orchards"),
    ],
)
def test_other_names_are_not(name, other):
    assert NEAREST(name, among=[other]) == ()


def test_at_most_three_are_suggested_the_nearest_first():
    among = ["Wai Ora Trustt", "Wai Ora Trst", "Wai Ora Truts", "Wai Ora Trusts"]
    found = NEAREST("Wai Ora Trust", among=among)
    assert (len(found), found[0] in {"Wai Ora Trustt", "Wai Ora Trusts"}) == (3, True)
