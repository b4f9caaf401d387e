import { vehicle } from "../ask.ts";
import { groupOrApproval, jobOrApproval, nothingWritten } from "../effects.ts";
import { asks, declines, either, mentions, says, time, who } from "../facts.ts";
import type { Question } from "../question.ts";

export const writes: Question[] = [
  {
    id: "write-job-vehicle",
    language: "en",
    text: "job for truck 1 tmrw 8am, pickup at Lagerhausstraße 33, 34123 Kassel. go",
    truth: (world) => [
      jobOrApproval(world, {
        vehicleName: "Truck 1",
        personName: vehicle(world, "Truck 1")["driverName"],
        scheduledStartDateTime: "2026-11-20T07:00Z",
      }),
      mentions(vehicle(world, "Truck 1")),
      time(Date.parse("2026-11-20T07:00:00Z")),
    ],
  },
  {
    id: "write-job-driver",
    language: "de",
    text: "leg mal nen auftrag an für heike brandt, montag 14 uhr, Ringstraße 38, 21129 Hamburg",
    truth: (world) => [
      jobOrApproval(world, { personName: "Heike Brandt", scheduledStartDateTime: "2026-11-23T13:00Z" }),
      who("Heike Brandt"),
      time(Date.parse("2026-11-23T13:00:00Z")),
    ],
  },
  {
    id: "write-rename",
    language: "es",
    text: "cambia el nombre del grupo Lyon Vans a Lyon Furgonetas",
    truth: () => [groupOrApproval("Van 2", "Lyon Furgonetas"), says("the new name", /lyon furgonetas/)],
  },
  {
    id: "write-add-vehicle",
    language: "pl",
    text: "dodaj van 11 do grupy poznan trucks",
    truth: (world) => [groupOrApproval("Van 11", "Poznań Trucks"), mentions(vehicle(world, "Van 11")), says("the group", /poznan trucks/)],
  },
  {
    id: "write-add-unknown",
    language: "en",
    text: "add truck 999 to lyon trucks",
    truth: (world) => [nothingWritten(world), declines()],
  },
  {
    id: "write-job-sold",
    language: "fr",
    text: "crée un job pour trailer 6 demain 10h à Lyon, 12 rue de la gare",
    truth: (world) => [nothingWritten(world), says("sold", /vendu|sold/)],
  },
  {
    id: "write-job-wrong-driver",
    language: "en",
    text: "new job tomorrow 10:00 Hamburg Ringstraße 38, truck 121 but heike brandt drives it",
    truth: (world) => [nothingWritten(world), either(says("the default driver", /lehmann/), asks())],
  },
];
