profile = apis.supervisor.show_profile()
accounts = apis.supervisor.show_account_passwords()
password = [a["password"] for a in accounts if a["account_name"] == "venmo"][0]
access_token = apis.venmo.login(username=profile["email"], password=password)["access_token"]
received = []
index = 0
page = apis.venmo.show_received_payment_requests(
    access_token=access_token, status="pending", page_index=0, page_limit=20
)
while page:
    received += page
    index += 1
    page = apis.venmo.show_received_payment_requests(
        access_token=access_token, status="pending", page_index=index, page_limit=20
    )
print(len(received), "pending requests")
