import { describeMatrix } from "./matrix.ts";

describeMatrix(false);
