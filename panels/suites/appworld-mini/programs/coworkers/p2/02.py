profile = apis.supervisor.show_profile()
accounts = apis.supervisor.show_account_passwords()
password = [a["password"] for a in accounts if a["account_name"] == "phone"][0]
access_token = apis.phone.login(username=profile["phone_number"], password=password)["access_token"]
contacts = []
for page_index in range(10):
    page = apis.phone.search_contacts(access_token=access_token, page_index=page_index)
    if not page:
        break
    contacts += page
print(len(contacts), "contacts", apis.phone.show_contact_relationships(access_token=access_token))
