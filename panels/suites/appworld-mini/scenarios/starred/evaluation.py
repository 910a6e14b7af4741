"""All threads of one sender are starred."""


def evaluate(test, public_data, private_data, main_user, models, ground_truth_answer):
    """Check the final databases."""
    with test("only mail threads change"):
        test.case(models.changed_model_names() - {"gmail.UserEmailThread"}, "==", set())

    added, updated, removed = models.changed_records("gmail.UserEmailThread")
    with test("no thread is added or removed, and only those of the sender change"):
        test.case([len(added), len(removed)], "==", [0, 0])
        test.case(sorted(thread.id for thread in updated), "==", private_data.thread_ids)

    with test("each of them is starred and not archived"):
        states = [[thread.starred, thread.archived] for thread in updated]
        test.case(states, "==", [[True, False]] * len(private_data.thread_ids))
