"""Reading a posted form part by part."""

from io import BytesIO

import pytest

from kawe_twin.storage.app import FormReader
from kawe_twin.storage.grants import PostPolicy, StorageRefusal

GRANT = PostPolicy(document_id="d", least_bytes=3, most_bytes=3)
KEY = '--b\r\nContent-Disposition: form-data; name="key"\r\n\r\nuploads/d\r\n'
FILE = '--b\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\n{}\r\n'
END = "--b--\r\n"


def read(body, *, judge=lambda _fields: GRANT, step=1):
    reader = FormReader(judge=judge, file=BytesIO())
    parser = reader.parser("multipart/form-data; boundary=b")
    raw = body.encode()
    for start in range(0, len(raw), step):
        parser.write(raw[start : start + step])
    return reader


def code_of(reader):
    with pytest.raises(StorageRefusal) as caught:
        reader.finish()
    return caught.value.code


@pytest.mark.parametrize("step", [1, 7, 1000])
def test_fields_and_file_are_read_however_the_bytes_arrive(step):
    reader = read(KEY + FILE.format("abc") + END, step=step)
    assert (reader.finish(), reader.fields, reader.file.getvalue()) == (
        GRANT,
        {"key": "uploads/d"},
        b"abc",
    )


def test_only_the_fields_before_the_file_are_judged():
    seen = []

    def judge(fields):
        seen.append(dict(fields))
        return GRANT

    read(FILE.format("abc") + KEY + END, judge=judge).finish()
    assert seen == [{}]


def test_no_byte_beyond_the_grant_is_kept():
    reader = read(KEY + FILE.format("x" * 1000) + END)
    assert len(reader.file.getvalue()) <= GRANT.most_bytes


def test_a_form_without_a_file_is_refused():
    assert code_of(read(KEY + END)) == "InvalidArgument"


def test_two_files_are_refused():
    assert code_of(read(KEY + FILE.format("abc") * 2 + END)) == "MalformedPOSTRequest"


def test_a_form_that_ends_early_is_refused():
    assert code_of(read(KEY + FILE.format("abc"))) == "MalformedPOSTRequest"


def test_endless_fields_are_refused():
    long = KEY.replace("uploads/d", "x" * 30_000)
    assert code_of(read(long + FILE.format("abc") + END, step=999)).startswith(
        "MaxPost"
    )


@pytest.mark.parametrize(
    "field",
    [
        '--b\r\nContent-Disposition: form-data; name="{}"\r\n\r\n\r\n',
        "--b\r\nContent-Disposition: form-data; name=x\r\nX-{}: y\r\n\r\n\r\n",
        "--b\r\nContent-Disposition: form-data; name=x\r\nX: {}\r\n\r\n\r\n",
    ],
    ids=["names", "names of headers", "headers"],
)
@pytest.mark.parametrize("before", [KEY, KEY + FILE.format("abc")])
def test_names_and_headers_count_and_no_more_is_held(field, before):
    endless = "".join(field.format(f"{n:-<4000}") for n in range(100))
    reader = read(before + endless + END, step=999)
    held = [*reader.fields, *reader.fields.values()]
    assert (code_of(reader)[:7], sum(map(len, held)) < 30_000) == ("MaxPost", True)
