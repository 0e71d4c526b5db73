CREATE TABLE `sandbox` (
	`place` integer PRIMARY KEY NOT NULL,
	`id` text NOT NULL UNIQUE,
	`version` integer NOT NULL,
	`world` text NOT NULL,
	`made` text NOT NULL,
	`from` text
);
--> statement-breakpoint
CREATE TABLE `part` (
	`place` integer PRIMARY KEY NOT NULL,
	`sandbox` text NOT NULL,
	`kind` text NOT NULL,
	`id` text NOT NULL,
	`value` text NOT NULL,
	UNIQUE (`sandbox`, `kind`, `id`)
);
--> statement-breakpoint
PRAGMA application_id = 1415665495;
