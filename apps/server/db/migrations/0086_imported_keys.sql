-- A sheet of keys is written row by row by the worker, in the scope of who uploaded it.
grant insert on device_credential to wattdeck_worker;

-- Down Migration
revoke insert on device_credential from wattdeck_worker;
