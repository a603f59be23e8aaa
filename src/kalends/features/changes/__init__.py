"""Changes as clients and webhooks read them: pages of the journal, for one caller each."""
