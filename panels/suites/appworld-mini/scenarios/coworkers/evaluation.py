"""Each coworker is sent one text message."""


def evaluate(test, public_data, private_data, main_user, models, ground_truth_answer):
    """Check the final databases."""
    with test("only text messages change"):
        messages = {"phone.GlobalTextMessage", "phone.UserTextMessage"}
        test.case(models.changed_model_names() - messages, "==", set())

    sent, updated, removed = models.changed_records("phone.GlobalTextMessage")
    with test("each coworker is sent one message, and nobody else"):
        test.case([len(updated), len(removed)], "==", [0, 0])
        test.case(sorted(text.receiver_id for text in sent), "==", private_data.receiver_ids)

    with test("each message has the asked words"):
        test.case({text.message for text in sent}, "==", {public_data.message})
