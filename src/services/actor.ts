/** Names of the actors that are neither persons nor keys. */
const systemNames: Record<string, string> = {
  'system:auto': 'Automatic check',
  'system:run': 'Carillon',
  'system:mail': 'Mail server',
  'system:avatar': 'Conversational assistant',
  'operator:temporal': 'Operator (Temporal UI)',
  'operator:cli': 'Operator (command line)',
}

/** An actor with the name to show: an event's system has the name of its source; recipients stay anonymous. */
export function actorView(id: string, name: string | null): { id: string; name: string } {
  return {
    id,
    name:
      name ??
      systemNames[id] ??
      id
        .replace(/^event:/, '')
        .replace(/^recipient:.*/, 'Recipient')
        .replace(/^scenario:.*/, 'Scenario')
        .replace(/^schedule:.*/, 'Schedule'),
  }
}

/** A recipient as an actor, without their id. */
export function nameless(actor: string): string {
  return actor.replace(/^recipient:.*/, 'recipient:')
}
