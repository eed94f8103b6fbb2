/** A page of the project's documentation: its path in the project, and its text in Markdown. */
export type GuideSource = { path: string; text: string }
