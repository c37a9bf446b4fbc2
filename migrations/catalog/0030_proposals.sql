-- Changes of records that readers and their programs propose, for librarians to review.
CREATE TABLE proposal (
  id INTEGER PRIMARY KEY,
  key TEXT NOT NULL,                   -- record
  revision INTEGER NOT NULL,           -- its revision when the change was proposed
  changes TEXT NOT NULL,               -- JSON object: members to set; null removes one
  comment TEXT NOT NULL,
  submitter TEXT NOT NULL,             -- username; so is reviewer
  reviewer TEXT,
  note TEXT NOT NULL DEFAULT '',       -- reason of the decision
  state TEXT NOT NULL DEFAULT 'open' CHECK (state IN ('open', 'accepted', 'declined', 'withdrawn')),
  created TEXT NOT NULL,               -- naive UTC, six fraction digits; so is updated
  updated TEXT NOT NULL
) STRICT;
CREATE INDEX proposal_by_state ON proposal (state, updated, id);
CREATE INDEX proposal_by_submitter ON proposal (submitter, state, updated, id);
