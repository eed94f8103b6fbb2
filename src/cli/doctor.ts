import type { Command } from 'commander'
import { warningsOf } from '../config.ts'
import { checkInvariants, type Finding } from '../db/queries/maintenance/doctor.ts'
import { type CommandContext, withDatabase } from './command.ts'
import { exitCodes } from './errors.ts'

/** `carillon doctor` */
export function addDoctor(program: Command): void {
  program
    .command('doctor')
    .description(
      'check the invariants; exits with 1 if one is violated. Warnings about settings go to stderr',
    )
    .action(
      withDatabase(async (context) => {
        for (const warning of warningsOf(context.config)) process.stderr.write(`warning: ${warning}\n`)
        answerFindings(context, await checkInvariants(context.db))
      }),
    )
}

/** Prints the result of each rule. The exit code becomes 1 if one is violated. */
export function answerFindings({ answer }: Pick<CommandContext, 'answer'>, findings: Finding[]): void {
  const width = Math.max(...findings.map(({ name }) => name.length))
  answer(
    findings,
    findings.flatMap((finding) => linesOf(finding, width)),
  )
  if (findings.some(({ ok }) => !ok)) process.exitCode = exitCodes.failed
}

function linesOf({ name, means, ok, count, violations }: Finding, width: number): string[] {
  const more = count - violations.length
  return [
    `${ok ? 'ok      ' : 'VIOLATED'}  ${name.padEnd(width)}  ${means}`,
    ...violations.map((violation) => `          ${violation}`),
    ...(more > 0 ? [`          and ${more} more`] : []),
  ]
}
