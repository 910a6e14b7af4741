"""All requests of one person are paid, and no other is answered."""


def evaluate(test, public_data, private_data, main_user, models, ground_truth_answer):
    """Check the final databases."""
    allowed = {
        "venmo.PaymentRequest",
        "venmo.Transaction",
        "venmo.User",
        "venmo.Notification",
    }
    with test("only payments, their requests, balances and notices change"):
        test.case(models.changed_model_names() - allowed, "==", set())

    added, updated, removed = models.changed_records("venmo.PaymentRequest")
    with test("the person's requests are approved, no other is answered"):
        test.case([len(added), len(removed)], "==", [0, 0])
        test.case(sorted(request.id for request in updated), "==", private_data.request_ids)
        approved = [request.approved_at is not None for request in updated]
        test.case(approved, "==", [True] * len(private_data.request_ids))

    sent, updated, removed = models.changed_records("venmo.Transaction")
    with test("each is paid once, in its amount"):
        test.case([len(updated), len(removed)], "==", [0, 0])
        test.case(sorted(payment.amount for payment in sent), "==", private_data.amounts)
