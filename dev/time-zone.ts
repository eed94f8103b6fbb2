/** The time zone of the demo's units: phones and mailbox tell the time as their readers do, wherever this machine is. */
export const demoTimeZone = 'Asia/Taipei'
