-- Up Migration

-- The api and the worker own nothing. Whatever a later migration adds must be granted here or in its own file.
grant usage on schema app, public to wattdeck_api, wattdeck_worker;
grant select on organise, agent, site to wattdeck_api, wattdeck_worker;
grant select, insert, update, delete on menu, resource, department, department_menu, role, user_role, role_menu, role_resource to wattdeck_api;
grant select, insert, update on user_account, session, login_ticket, sms_code, notification to wattdeck_api;
grant select, insert on user_password_history, sms_message, outbox to wattdeck_api;
grant select, insert, update, delete on captcha, attempt, idempotency_key to wattdeck_api;
grant select on audit_log to wattdeck_api;
grant execute on function app.audit_append to wattdeck_api, wattdeck_worker;

grant select, update on sms_message, outbox to wattdeck_worker;
grant select on user_account, session, audit_log, audit_chain to wattdeck_worker;
grant delete on session, login_ticket, sms_code, captcha, attempt, idempotency_key, outbox, sms_message to wattdeck_worker;
grant select on login_ticket, sms_code, captcha, attempt, idempotency_key to wattdeck_worker;
grant select, delete on audit_pending to wattdeck_worker;
grant execute on function app.audit_breaks, app.ensure_months to wattdeck_worker;

-- Down Migration
revoke all on all tables in schema public from wattdeck_api, wattdeck_worker;
