note = apis.simple_note.show_note(note_id=notes[0]["note_id"], access_token=access_token)
content = note["content"].rstrip("\n") + "\n" + line
apis.simple_note.update_note(
    note_id=note["note_id"], content=content, access_token=access_token
)
apis.supervisor.complete_task()
