import { DefaultLogger, makeTelemetryFilterString, Runtime } from '@temporalio/worker'
import type { Logger } from 'pino'

/** Makes Temporal's SDK log through ours, and leaves signals to the process. Once, before any worker is made. */
export function installRuntime(log: Logger): void {
  const logger = new DefaultLogger('WARN', ({ level, message, meta }) => {
    const { error, workflowId, activityType, taskQueue, sdkComponent } = (meta ?? {}) as Record<
      string,
      unknown
    >
    const fields = { err: error, runOf: workflowId, activity: activityType, taskQueue }
    if (level === 'ERROR') log.error(fields, message)
    // It warns of every worker that has no workflows, which those of channels never have.
    else if (sdkComponent === 'worker') log.debug(fields, message)
    else log.warn(fields, message)
  })
  const filter = makeTelemetryFilterString({ core: 'WARN', other: 'ERROR' })
  Runtime.install({
    logger,
    shutdownSignals: [],
    telemetryOptions: { logging: { filter, forward: {} } },
  })
}
