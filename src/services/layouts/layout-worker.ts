import { parentPort, workerData } from 'node:worker_threads'
import { layOut } from './lay-out.ts'

// A thread of `layoutOf`: it lays out one graph and ends.
parentPort?.postMessage(layOut(workerData))
