"""A line is added at the end of one note, whose neighbours have nearly its title."""


def evaluate(test, public_data, private_data, main_user, models, ground_truth_answer):
    """Check the final databases."""
    with test("only notes change"):
        test.case(models.changed_model_names() - {"simple_note.Note"}, "==", set())

    added, updated, removed = models.changed_records("simple_note.Note")
    with test("one note is updated, none is added or removed"):
        test.case([len(added), len(removed)], "==", [0, 0])
        test.case([note.id for note in updated], "==", [private_data.note_id])

    with test("its title is as before and its content ends with the line"):
        contents = [[note.title, note.content] for note in updated]
        test.case(contents, "==", [[public_data.title, private_data.content]])
