/** Why the packages of the project at `root` must be installed, or null. */
export function reasonToInstall(root: string): string | null
