"""Letters: what a message says, from the facts that its row has, as plain text and as quiet HTML."""
