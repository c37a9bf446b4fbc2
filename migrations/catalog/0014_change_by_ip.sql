-- Changes from an address, for administrators.
CREATE INDEX change_by_ip ON change (ip, created) WHERE ip IS NOT NULL;
