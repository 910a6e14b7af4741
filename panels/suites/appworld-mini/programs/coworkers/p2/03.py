import re

instruction = apis.supervisor.show_active_task()["instruction"]
message = re.search(r"message: '(.*)'", instruction).group(1)
for contact in contacts:
    if "coworker" in contact["relationships"]:
        apis.phone.send_text_message(phone_number=contact["phone_number"], message=message)
