/** What a command tells the program that ran it. docs/commands.md has the table. */
export const exitCodes = { done: 0, failed: 1, usage: 2, refused: 3, declined: 4, unavailable: 5 } as const;
