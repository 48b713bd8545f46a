-- tollgate: rolling
-- A new role. A server of the previous version knows no right of it, and answers its people with an error: give it after the upgrade.
alter table memberships drop constraint if exists memberships_role_check;
alter table memberships add constraint memberships_role_check
  check (role in ('owner', 'developer', 'finance', 'support', 'viewer'));
alter table invitations drop constraint if exists invitations_role_check;
alter table invitations add constraint invitations_role_check
  check (role in ('owner', 'developer', 'finance', 'support', 'viewer'));
