passwords = {
    entry["account_name"]: entry["password"] for entry in apis.supervisor.show_account_passwords()
}
profile = apis.supervisor.show_profile()


def login(app):
    name = profile["phone_number"] if app == "phone" else profile["email"]
    return apis[app].login(username=name, password=passwords[app])["access_token"]


def pages(api, **arguments):
    found, index = [], 0
    while True:
        page = api(page_index=index, page_limit=20, **arguments)
        if not page:
            return found
        found += page
        index += 1
