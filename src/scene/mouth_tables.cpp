#include "scene/tables.h"

#include "scene/table_ranges.h"

namespace treacle {

namespace {

using namespace table_ranges;

const ParameterTable& emitter_table() {
    static const ParameterTable table =
        ParameterTable("emitter")
            .add("position", &Emitter::position,
                 {.unit = "m", .low = -farthest, .high = farthest, .required = true, .doc = "Center of the mouth."})
            .add("direction", &Emitter::direction,
                 {.unit = "1",
                  .low = -farthest,
                  .high = farthest,
                  .doc = "In which the fluid leaves, of any length but 0."})
            .add("speed", &Emitter::speed,
                 {.unit = "m/s",
                  .low = 0,
                  .high = fastest,
                  .live = true,
                  .required = true,
                  .doc = "Speed of the fluid in the mouth."})
            .add("start", &Emitter::start, {.unit = "s", .low = 0, .high = 1e9, .doc = "When it begins."})
            .add("end", &Emitter::end, {.unit = "s", .low = 0, .high = 1e9, .doc = "When it ends; never if absent."})
            .add("max_particles", &Emitter::max_particles,
                 {.unit = "1", .low = 1, .high = 1e9, .doc = "It ends when its next layer would make more than these."})
            .add("layers", &Emitter::layers,
                 {.choices = {"square", "hexagonal"}, .doc = "Lattice of the particles in each layer."})
            .add("layer_rotation", &Emitter::layer_rotation,
                 {.unit = "degrees",
                  .low = -360,
                  .high = 360,
                  .doc = "By which each layer is turned against the one before: twists a star, loosens a lattice. 3D "
                         "only."})
            .add(
                "temperature", &Emitter::temperature,
                {.unit = "°C", .low = coldest, .high = hottest, .doc = "Temperature of what comes out; 20 if absent."});
    return table;
}

const ParameterTable& disk_table() {
    static const ParameterTable table = ParameterTable("disk").add(
        "radius", &Disk::radius,
        {.unit = "m", .low = smallest, .high = farthest, .required = true, .doc = "Radius; in 2D half the slit."});
    return table;
}

const ParameterTable& star_table() {
    static const ParameterTable table =
        ParameterTable("star")
            .add("radius", &Star::radius,
                 {.unit = "m", .low = smallest, .high = farthest, .required = true, .doc = "From the center to a tip."})
            .add("inner_radius", &Star::inner_radius,
                 {.unit = "m",
                  .low = smallest,
                  .high = farthest,
                  .required = true,
                  .doc = "From the center to a notch between two tips; less than the radius."})
            .add("points", &Star::points, {.unit = "1", .low = 2, .high = 100, .doc = "Number of tips."});
    return table;
}

}  // namespace

const ObjectKind& emitter_kind() {
    static const ObjectKind kind{
        "emitter",
        "A mouth that pushes fluid into the scene, as a syringe does: continuously, at its rest density.",
        {ParameterObject::of<Emitter>(emitter_table())},
        {{"material", Form::material_name, "Name of one of the materials.", {}, true},
         {"shape", Form::object, "The opening.", mouth_kind, true},
         {"motion", Form::object, "How the mouth moves; it stands still if absent.", motion_kind},
         {"body", Form::solid_name, "Name of a solid that the mouth moves with, in place of motion."}},
        {}};
    return kind;
}

const ObjectKind& mouth_kind() {
    static const ObjectKind kind{
        "shape of a mouth",
        "One opening, drawn around the origin with z (in 2D y) as the direction of the flow.",
        {},
        {{"disk", Form::object, "A round mouth; a slit in 2D.", disk_kind},
         {"star", Form::object, "A star, as of a piping nozzle; 3D only.", star_kind},
         {"transform", Form::object, "Turns, scales or shifts the drawn mouth.", transform_kind}},
        {"disk", "star"}};
    return kind;
}

const ObjectKind& disk_kind() {
    static const ObjectKind kind{
        "disk", "A round mouth; a slit in 2D.", {ParameterObject::of<Disk>(disk_table())}, {}, {}};
    return kind;
}

const ObjectKind& star_kind() {
    static const ObjectKind kind{
        "star", "A mouth with tips and notches.", {ParameterObject::of<Star>(star_table())}, {}, {}};
    return kind;
}

}  // namespace treacle
