#!/usr/bin/env node
import { Command } from 'commander'
import { addAddress } from './cli/address.ts'
import { addCallback } from './cli/callback.ts'
import { addCategory } from './cli/category.ts'
import { addDoctor } from './cli/doctor.ts'
import { exitCodesHelp, reportError } from './cli/errors.ts'
import { addEvent } from './cli/event.ts'
import { addImport } from './cli/import.ts'
import { addKey } from './cli/key.ts'
import { addMember } from './cli/member.ts'
import { addMessage } from './cli/message.ts'
import { addMetrics } from './cli/metrics.ts'
import { addMigrate } from './cli/migrate.ts'
import { addPurge } from './cli/purge.ts'
import { addQuota } from './cli/quota.ts'
import { addReconcile } from './cli/reconcile.ts'
import { addScenario } from './cli/scenario.ts'
import { addSecrets } from './cli/secrets.ts'
import { addSession } from './cli/session.ts'
import { addTop } from './cli/top.ts'
import { addTopic } from './cli/topic.ts'
import { addTrace } from './cli/trace.ts'
import { addUnit } from './cli/unit.ts'
import { version } from './version.ts'

const program = new Command('carillon')
  .version(version, '-V, --version', 'print the version')
  .description(
    'Administers Carillon. Reads DATABASE_URL and other settings from the environment: see docs/settings.md.',
  )
  .option('--json', 'print JSON, for programs')
  .addHelpText('after', exitCodesHelp)
  .showHelpAfterError('(carillon --help lists the commands)')
  .exitOverride()

for (const add of [
  addMigrate,
  addUnit,
  addMember,
  addKey,
  addSession,
  addCategory,
  addTopic,
  addQuota,
  addMessage,
  addScenario,
  addEvent,
  addCallback,
  addImport,
  addAddress,
  addSecrets,
  addTrace,
  addTop,
  addDoctor,
  addReconcile,
  addPurge,
  addMetrics,
])
  add(program)

// A reader that has seen enough (`carillon doctor | head`) is no fault, and the exit code stays that of the command.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error
})

try {
  await program.parseAsync()
} catch (error) {
  process.exitCode = reportError(error)
}
