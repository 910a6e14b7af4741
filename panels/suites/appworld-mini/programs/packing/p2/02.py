instruction = apis.supervisor.show_active_task()["instruction"]
parts = instruction.split("'")
line, title = parts[1], parts[3]
email = apis.supervisor.show_profile()["email"]
for account in apis.supervisor.show_account_passwords():
    if account["account_name"] == "simple_note":
        password = account["password"]
access_token = apis.simple_note.login(username=email, password=password)["access_token"]
notes = apis.simple_note.search_notes(access_token=access_token, query=title)
for note in notes:
    print(note["note_id"], note["title"])
