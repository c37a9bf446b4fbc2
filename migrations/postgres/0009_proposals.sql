CREATE TABLE proposal (
  id BIGINT PRIMARY KEY,
  key TEXT COLLATE "C" NOT NULL,
  revision BIGINT NOT NULL,
  changes TEXT COLLATE "C" NOT NULL,
  comment TEXT COLLATE "C" NOT NULL,
  submitter TEXT COLLATE "C" NOT NULL,
  reviewer TEXT COLLATE "C",
  note TEXT COLLATE "C" NOT NULL DEFAULT '',
  state TEXT COLLATE "C" NOT NULL DEFAULT 'open' CHECK (state IN ('open', 'accepted', 'declined', 'withdrawn')),
  created TEXT COLLATE "C" NOT NULL,
  updated TEXT COLLATE "C" NOT NULL
);
CREATE INDEX proposal_by_state ON proposal (state, updated, id);
CREATE INDEX proposal_by_submitter ON proposal (submitter, state, updated, id);
CREATE TRIGGER proposal_numbered BEFORE INSERT ON proposal FOR EACH ROW WHEN (new.id IS NULL)
EXECUTE FUNCTION carrel.number_row();
