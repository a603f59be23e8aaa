"""Letters: what a message says, from the facts that its row has. A letter is declared above the function that writes
it: what people call it, facts for its preview, and whether it can be switched off."""

from kalends.features.mail.letters import to_accounts, to_visitors

LETTERS = [*to_accounts.LETTERS, *to_visitors.LETTERS]
