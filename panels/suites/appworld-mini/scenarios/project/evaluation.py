"""All tasks of one project are completed."""


def evaluate(test, public_data, private_data, main_user, models, ground_truth_answer):
    """Check the final databases."""
    with test("only tasks change"):
        test.case(models.changed_model_names() - {"todoist.Task"}, "==", set())

    added, updated, removed = models.changed_records("todoist.Task")
    with test("no task is added or removed, and only those of the project change"):
        test.case([len(added), len(removed)], "==", [0, 0])
        test.case(sorted(task.id for task in updated), "==", private_data.task_ids)

    with test("each of them is completed"):
        done = [task.is_completed for task in updated]
        test.case(done, "==", [True] * len(private_data.task_ids))
