//! The transformations of S3 §4.4: the laws that they keep, S3's Table 1 cell by cell, and S3's examples and figures.

mod example;
mod figures;
mod laws;
mod properties;
mod recording;
mod table;
