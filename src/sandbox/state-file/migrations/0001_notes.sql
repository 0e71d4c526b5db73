CREATE TABLE `note` (
	`name` text PRIMARY KEY NOT NULL,
	`value` integer NOT NULL
);
