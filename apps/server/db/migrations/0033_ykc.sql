-- Up Migration

-- The protocol was described before there was code for it. Types use it, so people could not name the code themselves.
update dtu_protocol set adapter = 'ykc', version = 'V1.5/V1.6' where code = 'YKC-15' and adapter is null;

-- Down Migration
update dtu_protocol set adapter = null, version = 'V1.5' where code = 'YKC-15' and adapter = 'ykc';
