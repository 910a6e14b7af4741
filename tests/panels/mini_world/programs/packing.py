token = login("simple_note")
notes = pages(apis.simple_note.search_notes, access_token=token)
note = next(note for note in notes if note["title"] == public["title"])
apis.simple_note.add_content_to_note(
    note_id=note["note_id"],
    append_or_prepend="append",
    added_content=public["line"],
    access_token=token,
)
