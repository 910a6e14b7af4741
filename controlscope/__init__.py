"""The vocabulary of ControlScope and the loop that runs an episode: no processes, no network."""
