import re

instruction = apis.supervisor.show_active_task()["instruction"]
line = re.search(r"the line '(.+?)'", instruction).group(1)
title = re.search(r"titled exactly '(.+?)'", instruction).group(1)

me = apis.supervisor.show_profile()
passwords = {a["account_name"]: a["password"] for a in apis.supervisor.show_account_passwords()}
token = apis.simple_note.login(username=me["email"], password=passwords["simple_note"])[
    "access_token"
]

found = apis.simple_note.search_notes(access_token=token, query=title)
note = next(note for note in found if note["title"] == title)
apis.simple_note.add_content_to_note(
    note_id=note["note_id"], append_or_prepend="append", added_content=line, access_token=token
)
print(apis.simple_note.show_note(note_id=note["note_id"], access_token=token)["content"])
apis.supervisor.complete_task()
