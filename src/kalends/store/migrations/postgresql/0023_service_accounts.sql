-- Accounts of the service itself, such as the author of what the public form brings: no person signs in with one, sees
-- it among people, changes it or removes it. Their names are none that people can have.
ALTER TABLE "user" ADD COLUMN is_service INTEGER NOT NULL DEFAULT 0;

-- The author of submissions was an ordinary account. Where a person has made something else of it, it stays theirs, and
-- the next submission makes a new one.
UPDATE "user" SET is_service = 1, name = '(public form)', name_key = '(public form)'
WHERE id = (SELECT CAST(value AS BIGINT) FROM site WHERE key = 'submission_user')
    AND name_key = 'public-submissions' AND role = 'subscriber' AND disabled = 1
    AND NOT EXISTS (SELECT 1 FROM token WHERE token."user" = "user".id)
    AND NOT EXISTS (SELECT 1 FROM one_time_link WHERE one_time_link."user" = "user".id);
DELETE FROM site WHERE key = 'submission_user';
