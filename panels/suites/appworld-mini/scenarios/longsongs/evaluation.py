"""A playlist of all long songs of the library, and nothing else."""


def evaluate(test, public_data, private_data, main_user, models, ground_truth_answer):
    """Check the final databases."""
    with test("only a playlist and its songs are added"):
        playlist = {"spotify.Playlist", "spotify.PlaylistSong"}
        test.case(models.changed_model_names() - playlist, "==", set())

    playlists, updated, removed = models.changed_records("spotify.Playlist")
    with test("one playlist of the asked title is made, no other is touched"):
        titles = [playlist.title for playlist in playlists]
        test.case(titles, "==", [public_data.title])
        test.case([len(updated), len(removed)], "==", [0, 0])

    links, updated, removed = models.changed_records("spotify.PlaylistSong")
    with test("it holds each long song of the library once, and no other song"):
        test.case(sorted(link.song_id for link in links), "==", private_data.song_ids)
        test.case([len(updated), len(removed)], "==", [0, 0])
