import re

instruction = apis.supervisor.show_active_task()["instruction"]
sender = re.search(r"requests from (\S+@\S+?),", instruction).group(1)

me = apis.supervisor.show_profile()
passwords = {a["account_name"]: a["password"] for a in apis.supervisor.show_account_passwords()}
token = apis.venmo.login(username=me["email"], password=passwords["venmo"])["access_token"]

approved = 0
for page_index in range(3):
    pending = apis.venmo.show_received_payment_requests(
        access_token=token, status="pending", page_index=page_index
    )
    for request in pending:
        if request["sender"]["email"] == sender:
            apis.venmo.approve_payment_request(
                payment_request_id=request["payment_request_id"], access_token=token
            )
            approved += 1
print(approved, "requests approved")
apis.supervisor.complete_task()
