-- Up Migration

-- How a charge point proves who it is. 1 a password, 2 TLS and a password, 3 TLS and a certificate whose name is its own.
-- It may connect by its own profile or a higher one. Without a profile it may not connect at all.
alter table device
  add ocpp_profile smallint check (ocpp_profile in (1, 2, 3)),
  -- SHA-256 in hex. The password is random and at least 20 bytes long, so a slow hash would protect nothing more.
  add password_hash text collate "C" check (password_hash ~ '^[0-9a-f]{64}$'),
  add check (ocpp_profile is null or ocpp_profile = 3 or password_hash is not null);

-- The protocol was described before anybody could speak it.
update dtu_protocol set adapter = 'ocpp16' where code = 'OCPP-16J' and adapter is null;

-- Down Migration
update dtu_protocol set adapter = null where code = 'OCPP-16J';
alter table device drop ocpp_profile, drop password_hash;
