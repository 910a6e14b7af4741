instruction = apis.supervisor.show_active_task()["instruction"]
message = instruction.split(": '")[1].rstrip("'")

me = apis.supervisor.show_profile()
passwords = {a["account_name"]: a["password"] for a in apis.supervisor.show_account_passwords()}
token = apis.phone.login(username=me["phone_number"], password=passwords["phone"])["access_token"]

coworkers = apis.phone.search_contacts(access_token=token, relationship="coworker")
for contact in coworkers:
    apis.phone.send_text_message(
        phone_number=contact["phone_number"], message=message, access_token=token
    )
print("told", len(coworkers), "coworkers")
apis.supervisor.complete_task()
