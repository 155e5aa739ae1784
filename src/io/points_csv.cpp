#include "io/points_csv.h"

#include "core/file.h"
#include "io/frame_columns.h"
#include "io/number_append.h"

namespace treacle {

Result<void> write_points_csv(const std::string& path, const ParticleTable& particles) {
    std::string text = "x,y,z,vx,vy,vz,id,material,density";
    for (const ParticleTable::Column& column : particles.extra) {
        const auto components = component_names(column.shape);
        for (const char* component : components) {
            text += "," + column.name + (components.size() == 1 ? "" : std::string("_") + component);
        }
    }
    text += '\n';
    for (std::size_t n = 0; n < particles.size(); ++n) {
        for (const auto& vector : {particles.position[n], particles.velocity[n]}) {
            for (const float value : vector) {
                append_number(text, value);
                text += ',';
            }
        }
        append_number(text, particles.id[n]);
        text += ',';
        append_number(text, static_cast<unsigned>(particles.material[n]));
        text += ',';
        append_number(text, particles.density[n]);
        for (const ParticleTable::Column& column : particles.extra) {
            const std::size_t width = component_names(column.shape).size();
            for (std::size_t c = 0; c < width; ++c) {
                text += ',';
                append_number(text, column.values[n * width + c]);
            }
        }
        text += '\n';
    }
    return write_file_atomically(path, text);
}

}  // namespace treacle
