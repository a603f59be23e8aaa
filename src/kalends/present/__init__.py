"""How records look from outside: functions from records to JSON and other documents. No look-ups."""
