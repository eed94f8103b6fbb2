/** Why the packages of the project at `root` must be installed, or null. */
export function reasonToInstall(root: string): string | null

/** Whether the types of the client library are missing, or older than what they are generated from. */
export function areClientTypesOutdated(root: string): boolean

/** Whether the library that the API serves is missing, or older than what it is made of. */
export function isClientPackageOutdated(root: string): boolean
