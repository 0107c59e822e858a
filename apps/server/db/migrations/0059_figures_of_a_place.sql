-- Up Migration

-- The columns of a place are no coincidence: an agent belongs to one organisation, and rows of sites have no district. Not
-- knowing this the planner took the ten thousand sites of an organisation for a few hundred, and walked over all their days
-- to find those of one.
create statistics stat_hour_place (dependencies, mcv) on kind, organise_id, agent_id, district from stat_hour;
create statistics stat_day_place (dependencies, mcv) on kind, organise_id, agent_id, district from stat_day;
create statistics stat_month_place (dependencies, mcv) on kind, organise_id, agent_id, district from stat_month;

-- Down Migration
drop statistics stat_hour_place, stat_day_place, stat_month_place;
