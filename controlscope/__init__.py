"""The vocabulary of ControlScope and the loop that runs an episode; pure, no processes, no network."""
